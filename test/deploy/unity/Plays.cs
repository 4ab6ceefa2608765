// Every status, foreign bodies and waits against the example: how often it asks, and that it calls back exactly once.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using Edgeboard;
using UnityEngine;
using UnityEngine.Networking;

internal static class Plays
{
    private const string Stored = "{\"submissionId\":\"x\",\"rank\":1}";
    private const string Html = "<html>";
    private static int wrong;

    private class Outcome
    {
        public int Calls, Done, Failed;
        public float Waited;
    }

    private static Answer Of(int status, string body, params string[] headers)
    {
        var answer = new Answer { Status = status, Body = body };
        for (var i = 0; i < headers.Length; i += 2) answer.Headers[headers[i]] = headers[i + 1];
        return answer;
    }

    private static Answer Ours(int status) =>
        Of(status, $"{{\"type\":\"https://edgeboard.dev/problems/x\",\"status\":{status}}}");

    private static Outcome Submit(params Answer[] answers)
    {
        var outcome = new Outcome();
        return Run(outcome, answers, new EdgeboardClient().Submit("ada", 1, "m", _ => outcome.Done++, _ => outcome.Failed++));
    }

    private static Outcome Top(Answer answer)
    {
        var outcome = new Outcome();
        return Run(outcome, new[] { answer }, new EdgeboardClient().Top(3, _ => outcome.Done++, _ => outcome.Failed++));
    }

    private static Outcome Run(Outcome outcome, Answer[] answers, IEnumerator coroutine)
    {
        UnityWebRequest.Play = new Queue<Answer>(answers);
        UnityWebRequest.Calls = 0;
        while (coroutine.MoveNext())
            if (coroutine.Current is WaitForSecondsRealtime wait) outcome.Waited += wait.Seconds;
        outcome.Calls = UnityWebRequest.Calls;
        return outcome;
    }

    private static void Expect(string what, Outcome outcome, int calls, int done, float waited = 0)
    {
        if (outcome.Calls == calls && outcome.Done == done && outcome.Failed == 1 - done && outcome.Waited >= waited) return;
        wrong++;
        Console.WriteLine($"WRONG {what}: {outcome.Calls} calls, {outcome.Done} done, {outcome.Failed} failed, {outcome.Waited} s");
    }

    private static void Main()
    {
        var good = Of(201, Stored);
        foreach (var status in Enumerable.Range(300, 300).Append(0)) Expect($"a foreign {status}", Submit(Of(status, Html), good), 2, 1);
        foreach (var status in new[] { 400, 401, 403, 404, 409, 413, 415, 422 }) Expect($"refused {status}", Submit(Ours(status), good), 1, 0);
        foreach (var status in new[] { 408, 425, 429, 500, 503 }) Expect($"later {status}", Submit(Ours(status), good), 2, 1);
        foreach (var body in new[] { "", Html, "{\"submi", "null", "[]", "\"ok\"", "{\"success\":true}" })
            Expect($"a success with {body}", Submit(Of(200, body)), 5, 0);
        Expect("a wait in seconds", Submit(Of(503, Html, "Retry-After", "7"), good), 2, 1, 7);
        const string at = "Mon, 30 Nov 2026 22:46:38 GMT", sent = "Mon, 30 Nov 2026 22:46:28 GMT";
        Expect("a wait as a date", Submit(Of(503, Html, "Retry-After", at, "Date", sent), good), 2, 1, 10);
        Expect("a wait of nonsense", Submit(Of(503, Html, "Retry-After", "-5"), good), 2, 1);
        Expect("a wait of an hour", Submit(Of(429, Html, "Retry-After", "3600"), good), 1, 0);
        Expect("a board", Top(Of(200, "{\"entries\":[]}")), 1, 1);
        foreach (var answer in new[] { Of(200, Html), Of(200, "{}"), Of(204, ""), Of(500, ""), Of(0, "") })
            Expect($"no board: {answer.Status} {answer.Body}", Top(answer), 1, 0);
        Console.WriteLine(wrong == 0 ? "all right" : $"{wrong} wrong");
        Environment.Exit(wrong == 0 ? 0 : 1);
    }
}
