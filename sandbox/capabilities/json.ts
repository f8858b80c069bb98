/** A value that has a JSON form: all that crosses between a plugin and the platform. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined }

/** Bytes, written in base64. */
export interface Base64 {
  readonly base64: string
}
