import { readFileSync } from "node:fs";
import type { RunPageQuery, RunPageQueryVariables } from "./types.js";

const url = process.env["TASKLORE_URL"] ?? "http://127.0.0.1:8000";
const query = readFileSync("run.graphql", "utf8");

async function ask<Data, Variables>(query: string, variables: Variables): Promise<Data> {
  const answer = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${process.env["TASKLORE_KEY"]}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await answer.json()) as { data: Data; errors?: { message: string }[] };
  if (errors?.[0]) throw new Error(errors[0].message);
  return data;
}

const { run } = await ask<RunPageQuery, RunPageQueryVariables>(query, { source: "sample", key: "run-marex-complaint" });
// A run that you may not see is null, like one that does not exist: the types say so.
const begun: string = run?.header.startedAt ?? "not begun";
for (const step of run?.steps.rows ?? []) {
  const seconds: number = Number(step.durationMs ?? 0) / 1000;
  console.log(step.displayOrder, step.moduleLabel, step.status, seconds);
}
console.log(run?.header.title, begun);
