/** Whether the caller would rather be told at once where the work can be followed than wait for its end, as RFC 7240 has it. */
export function prefersAsync(ctx: { header(name: string): string | undefined }): boolean {
  return /(^|,)\s*respond-async\s*($|[,;])/i.test(ctx.header('prefer') ?? '')
}

/** What an answer says that did as the caller would rather have it. */
export const appliedAsync = { 'preference-applied': 'respond-async' } as const
