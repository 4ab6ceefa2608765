// The little of Unity that the example uses. Requests are answered by what `Play` holds, in turn; the last answer is repeated.
using System;
using System.Collections.Generic;
using System.Text.RegularExpressions;

namespace UnityEngine
{
    public class MonoBehaviour { }

    [AttributeUsage(AttributeTargets.Field)]
    public class SerializeField : Attribute { }

    public static class Mathf
    {
        public static float Pow(float a, float b) => (float)Math.Pow(a, b);
    }

    public static class Random
    {
        public static float Range(float least, float most) => least;
    }

    public class WaitForSecondsRealtime
    {
        public readonly float Seconds;
        public WaitForSecondsRealtime(float seconds) { Seconds = seconds; }
    }

    /// <summary>As Unity's: null for no text, an exception for text that is no object, defaults for fields that are missing.</summary>
    public static class JsonUtility
    {
        public static string ToJson(object _) => "{}";

        public static T FromJson<T>(string text) where T : class
        {
            if (string.IsNullOrEmpty(text)) return null;
            if (!text.StartsWith("{") || !text.EndsWith("}")) throw new ArgumentException("JSON parse error");
            var made = (T)Activator.CreateInstance(typeof(T));
            foreach (var field in typeof(T).GetFields())
            {
                var found = Regex.Match(text, $"\"{field.Name}\":(?:\"([^\"]*)\"|(-?\\d+)|(\\[))");
                if (!found.Success) continue;
                if (field.FieldType == typeof(string)) field.SetValue(made, found.Groups[1].Value);
                if (field.FieldType == typeof(int)) field.SetValue(made, int.Parse(found.Groups[2].Value));
                if (field.FieldType == typeof(long)) field.SetValue(made, long.Parse(found.Groups[2].Value));
                if (field.FieldType.IsArray) field.SetValue(made, Array.CreateInstance(field.FieldType.GetElementType(), 0));
            }
            return made;
        }
    }
}

namespace UnityEngine.Networking
{
    public class Answer
    {
        public int Status;
        public string Body = "";
        public readonly Dictionary<string, string> Headers = new Dictionary<string, string>();
    }

    public class UploadHandlerRaw
    {
        public UploadHandlerRaw(byte[] _) { }
    }

    public class DownloadHandlerBuffer
    {
        public string text;
    }

    public class UnityWebRequest : IDisposable
    {
        public enum Result { Success, ConnectionError, ProtocolError }

        public static Queue<Answer> Play = new Queue<Answer>();
        public static int Calls;

        public UploadHandlerRaw uploadHandler;
        public DownloadHandlerBuffer downloadHandler;
        public int timeout;
        private Answer answer;

        public UnityWebRequest(string url, string method) { }

        public static UnityWebRequest Get(string url) =>
            new UnityWebRequest(url, "GET") { downloadHandler = new DownloadHandlerBuffer() };

        public Result result =>
            answer.Status == 0 ? Result.ConnectionError : answer.Status >= 400 ? Result.ProtocolError : Result.Success;
        public long responseCode => answer.Status;
        public string error => result == Result.Success ? null : $"HTTP {answer.Status}";

        public void SetRequestHeader(string name, string value) { }

        public object SendWebRequest()
        {
            Calls++;
            answer = Play.Count > 1 ? Play.Dequeue() : Play.Peek();
            downloadHandler.text = answer.Body;
            return null;
        }

        public string GetResponseHeader(string name) => answer.Headers.TryGetValue(name, out var value) ? value : null;

        public void Dispose() { }
    }
}
