// Edgeboard from Unity (2021.3 or newer): a component that submits with a player token and reads the board.
// A game that ships to players must not hold a server key: your backend gives each player a token (docs/security.md).
using System;
using System.Collections;
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
    [Serializable] public class Problem { public string type; public string detail; public string requestId; public int retryAfterSeconds; }

    public class EdgeboardClient : MonoBehaviour
    {
        [SerializeField] private string api = "https://scores.example";
        [SerializeField] private string game = "arena";
        /// <summary>Set by your login: a token for this player and this game.</summary>
        public string PlayerToken { get; set; }

        private const int Attempts = 5;

        /// <summary>Submits points; `matchId` makes retries safe, also after the game was closed in between.</summary>
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

                if (request.result == UnityWebRequest.Result.Success)
                {
                    done(JsonUtility.FromJson<ScoreResponse>(request.downloadHandler.text));
                    yield break;
                }
                var again = request.responseCode == 0 || request.responseCode == 429 || request.responseCode == 503;
                if (!again || attempt == Attempts)
                {
                    failed(ProblemOf(request));
                    yield break;
                }
                // Grows, and differs between players, so that they do not all come back at once.
                var seconds = Mathf.Max(ProblemOf(request).retryAfterSeconds, Mathf.Pow(2, attempt - 1));
                yield return new WaitForSecondsRealtime(seconds * UnityEngine.Random.Range(0.5f, 1.5f));
            }
        }

        /// <summary>Reads the first places of the running week.</summary>
        public IEnumerator Top(int n, Action<TopResponse> done, Action<Problem> failed)
        {
            using var request = UnityWebRequest.Get($"{api}/v1/games/{game}/boards/current/top?n={n}");
            request.timeout = 10;
            yield return request.SendWebRequest();
            if (request.result == UnityWebRequest.Result.Success)
                done(JsonUtility.FromJson<TopResponse>(request.downloadHandler.text));
            else
                failed(ProblemOf(request));
        }

        private static Problem ProblemOf(UnityWebRequest request)
        {
            var text = request.downloadHandler?.text ?? "";
            if (text.StartsWith("{")) return JsonUtility.FromJson<Problem>(text);
            return new Problem { detail = request.error ?? "no answer" };
        }
    }
}
