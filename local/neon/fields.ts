import type { FieldDef } from "pg";

/** A value in an answer: text or null with raw text output, JSON scalars without. */
export type Cell = unknown;

const OID = { bool: 16, int2: 21, int4: 23, float4: 700, float8: 701, json: 114, jsonb: 3802 } as const;

/** Without raw text output the vendor gives JSON values for these types and text for all others. */
export function toJsonValue(text: string | null, oid: number): Cell {
  if (text === null) return null;
  switch (oid) {
    case OID.bool:
      return text === "t";
    case OID.int2:
    case OID.int4:
      return Number(text);
    case OID.float4:
    case OID.float8:
      return Number.isFinite(Number(text)) ? Number(text) : text;
    case OID.json:
    case OID.jsonb:
      return JSON.parse(text);
    default:
      return text;
  }
}

/** The column descriptions the driver parses values by. */
export function describeFields(fields: readonly FieldDef[]): object[] {
  return fields.map(({ name, dataTypeID, tableID, columnID, dataTypeSize, dataTypeModifier }) => ({
    name,
    dataTypeID,
    tableID,
    columnID,
    dataTypeSize,
    dataTypeModifier,
    format: "text",
  }));
}
