/** One address of a host name. */
export interface ResolvedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** All addresses of a host name; rejects where there is none. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>
