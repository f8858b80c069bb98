import type { Sections } from './sections.ts'

/** Asks the platform from inside a guest; the answer is of the kind that the interface for authors says. */
type Send = <Answer>(operation: string, argument: unknown) => Promise<Answer>

/** One member of `ctx`. It is made inside the isolate, so it uses nothing but its arguments. */
interface CtxMember<Member> {
  /** The capabilities that bring it, the usual one first; none where every plugin has it. */
  readonly by: readonly string[]
  /** Its functions. Each asks for one operation, whose name is `<member>.<function>`. */
  readonly open: (send: Send) => Member
  /** Those of them that leave something behind: where their answer is lost, they may have been done all the same. */
  readonly saving?: readonly (keyof Member & string)[]
  /** Which of its functions need another capability than the usual one. */
  readonly others?: Readonly<Partial<Record<keyof Member & string, string>>>
  /** Whoever answers was chosen by the guest, and nobody else is to blame for the wait. */
  readonly isElsewhere?: true
}

/** How the members of a part of `ctx` are made, so that none of its functions is forgotten. */
export type CtxMembers<Part> = { readonly [Name in keyof Part]-?: CtxMember<Part[Name]> }

/** What the platform knows of a capability. */
export interface CapabilityRow {
  /** The section of the manifest that says more. */
  readonly section?: CapabilitySection
  /** What exactly an administrator is shown and consents to; `{}` unless said otherwise. */
  readonly detail?: (manifest: Sections) => unknown
  /** A capability that it only widens, and that must be asked for too. */
  readonly widens?: string
  /** A source that uses it: `true` is one that names its member of `ctx`. Left out where it may be used without. */
  readonly used?: true | RegExp
  /** A source that calls it: `true` is a call of one of its member's functions. Left out where that may be something else. */
  readonly called?: true | RegExp
}

/** A section of the manifest that belongs to a capability, and cannot be there without it. */
interface CapabilitySection {
  readonly field: string
  readonly isPresent: (manifest: Sections) => boolean
  /** Granted without the section, the capability would do nothing. */
  readonly isNeeded: boolean
}
