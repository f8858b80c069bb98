/** A function of the manifest's AI providers, guardrails or routers. */
export type ProvidedName =
  | { readonly provider: string; readonly mapping: 'request' | 'chunk' | 'error' | 'models' | 'test' }
  | { readonly guardrail: string; readonly phase: 'input' | 'output' | 'output_stream' }
  | { readonly router: string }
