// Edgeboard from Unity (2021.3 or newer): a component that submits with a player token and reads the board.
// A game that ships to players must not hold a server key: your backend gives each player a token (docs/security.md).
using System;
using System.Collections;
using System.Globalization;
using System.Text;
using UnityEngine;
using UnityEngine.Networking;

namespace Edgeboard
{
    [Serializable] public class ScoreRequest { public string player; public long points; }
    [Serializable] public class AllTime { public bool improved; public long best; }
    [Serializable]
    public class ScoreResponse
    {
        public string submissionId;
        public long points;
        public long best;
        public bool improved;
        // JsonUtility reads null as 0: `ranked` tells whether there is a place yet.
        public int rank;
        public int boardSize;
        public bool ranked;
        public bool replayed;
        public AllTime allTime;
        public string resetsAt;
    }
    [Serializable] public class Entry { public int rank; public int competitionRank; public string player; public long points; public string achievedAt; }
    [Serializable] public class TopResponse { public string board; public int boardSize; public string version; public Entry[] entries; public string next; }
    // `type` is empty when the service did not send the answer: no network, a portal, a proxy.
    [Serializable] public class Problem { public string type; public int status; public string detail; public string requestId; public double retryAfterSeconds; }

    public class EdgeboardClient : MonoBehaviour
    {
        [SerializeField] private string api = "https://scores.example";
        [SerializeField] private string game = "arena";
        /// <summary>Set by your login: a token for this player and this game.</summary>
        public string PlayerToken { get; set; }

        private const string ProblemTypes = "https://edgeboard.dev/problems/";
        private const int Attempts = 5;
        private const float LongestWaitSeconds = 120;

        /// <summary>
        /// Submits points; `matchId` makes retries safe, also after the game was closed in between. Ends with one of the two
        /// callbacks, whatever is answered.
        /// </summary>
        public IEnumerator Submit(string player, long points, string matchId, Action<ScoreResponse> done, Action<Problem> failed)
        {
            var body = Encoding.UTF8.GetBytes(JsonUtility.ToJson(new ScoreRequest { player = player, points = points }));
            for (var attempt = 1; ; attempt++)
            {
                using var request = new UnityWebRequest($"{api}/v1/games/{game}/scores", "POST");
                request.uploadHandler = new UploadHandlerRaw(body);
                request.downloadHandler = new DownloadHandlerBuffer();
                request.timeout = 10;
                request.SetRequestHeader("Content-Type", "application/json");
                request.SetRequestHeader("Authorization", $"Bearer {PlayerToken}");
                request.SetRequestHeader("Idempotency-Key", matchId);
                yield return request.SendWebRequest();

                var score = AnswerOf<ScoreResponse>(request);
                if (!string.IsNullOrEmpty(score?.submissionId))
                {
                    done(score);
                    yield break;
                }
                // Never earlier than the service asks for; grows, and differs between players, so that they do not all come
                // back at once.
                var problem = ProblemOf(request);
                var seconds = problem.retryAfterSeconds + Mathf.Pow(2, attempt - 1) * UnityEngine.Random.Range(0.5f, 1.5f);
                if (IsRefusal(problem) || attempt == Attempts || seconds > LongestWaitSeconds)
                {
                    failed(problem);
                    yield break;
                }
                yield return new WaitForSecondsRealtime((float)seconds);
            }
        }

        /// <summary>Reads the first places of the running week.</summary>
        public IEnumerator Top(int n, Action<TopResponse> done, Action<Problem> failed)
        {
            using var request = UnityWebRequest.Get($"{api}/v1/games/{game}/boards/current/top?n={n}");
            request.timeout = 10;
            yield return request.SendWebRequest();
            var top = AnswerOf<TopResponse>(request);
            if (top?.entries != null) done(top);
            else failed(ProblemOf(request));
        }

        /// <summary>Only the service's own refusal is final; 408, 425 and 429 are refusals of the moment.</summary>
        private static bool IsRefusal(Problem problem) =>
            problem.type != "" && problem.status >= 400 && problem.status < 500
            && problem.status != 408 && problem.status != 425 && problem.status != 429;

        private static T AnswerOf<T>(UnityWebRequest request) where T : class =>
            request.result == UnityWebRequest.Result.Success ? Parse<T>(request) : null;

        private static Problem ProblemOf(UnityWebRequest request)
        {
            var problem = Parse<Problem>(request);
            if (problem?.type == null || !problem.type.StartsWith(ProblemTypes, StringComparison.Ordinal))
                problem = new Problem { type = "", detail = request.error ?? "This is not an answer of the service." };
            problem.status = (int)request.responseCode;
            problem.retryAfterSeconds = Math.Max(problem.retryAfterSeconds, RetryAfter(request));
            return problem;
        }

        /// <summary>Null for what is no JSON object: the HTML of a portal, an empty or a cut body.</summary>
        private static T Parse<T>(UnityWebRequest request) where T : class
        {
            try
            {
                return JsonUtility.FromJson<T>(request.downloadHandler?.text ?? "");
            }
            catch (ArgumentException)
            {
                return null;
            }
        }

        /// <summary>Seconds: the header is a number, or a date, which the sender's own clock measures.</summary>
        private static double RetryAfter(UnityWebRequest request)
        {
            var value = request.GetResponseHeader("Retry-After");
            if (double.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var seconds)) return seconds;
            if (!TryDate(value, out var at)) return 0;
            var now = TryDate(request.GetResponseHeader("Date"), out var sent) ? sent : DateTime.UtcNow;
            return Math.Max(0, (at - now).TotalSeconds);
        }

        private static bool TryDate(string text, out DateTime date) =>
            DateTime.TryParseExact(text, "r", CultureInfo.InvariantCulture,
                DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out date);
    }
}
