/** Reads `Authorization: Bearer <token>`. */

const BEARER = /^Bearer ([\x21-\x7e]{1,4096})$/i;

export const bearerToken = (header: string | undefined): string | undefined => BEARER.exec(header ?? "")?.[1];
