// Types for the documents of this folder, from the committed schema. `node codegen.mjs SCHEMA` writes types.ts.
import { readFileSync, writeFileSync } from "node:fs";
import { codegen } from "@graphql-codegen/core";
import * as typescript from "@graphql-codegen/typescript";
import * as operations from "@graphql-codegen/typescript-operations";
import { parse } from "graphql";

const config = {
  // Our scalars: a time is text in RFC 3339, a Long a whole number, JSON whatever it is.
  scalars: { Timestamp: "string", Long: "number", JSON: "unknown" },
  strictScalars: true,
  onlyOperationTypes: true,
  enumsAsTypes: true,
  skipTypename: true,
};
const document = parse(readFileSync("run.graphql", "utf8"));
writeFileSync("types.ts", await codegen({
  filename: "types.ts",
  schema: parse(readFileSync(process.argv[2], "utf8")),
  documents: [{ location: "run.graphql", document }],
  config,
  plugins: [{ typescript: {} }, { operations: {} }],
  pluginMap: { typescript, operations },
}));
