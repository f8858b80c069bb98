/** What a child is started with that shall not outlive its parent, as its fourth descriptor and in its environment. */
export const lifeline: { readonly stdio: 'pipe'; readonly env: Readonly<Record<string, string>> }

/** Imports a TypeScript entry, under the project's own Node when the running one is too old for it. */
export function launch(entry: string): Promise<void>

/** In a child with a lifeline: stops as if told to when the parent is gone. */
export function endWithParent(): void
