/** What connections may take. */
export interface RealtimeLimits {
  /** Bytes of one message of a client. */
  readonly frameBytes: number
  /** Messages, pings and pongs of a client within `frameMilliseconds`. */
  readonly frames: number
  readonly frameMilliseconds: number
  /** Of one user, over all hosts and namespaces; the oldest makes room. */
  readonly perUser: number
  /** Of one address at one host (IPv6: of a /64), and of those the ones that have not said who they are. */
  readonly perAddress: number
  readonly waitingPerAddress: number
  /** Bytes that wait for one reader, and for all readers of a host together. */
  readonly bufferedBytes: number
  readonly allBufferedBytes: number
  /** Until a client must have said who it is. */
  readonly authMilliseconds: number
  /** How often a silent client is asked whether it is there, and when it is given up. */
  readonly heartbeatMilliseconds: number
  readonly silentMilliseconds: number
}

/** The platform's. */
export const limits: RealtimeLimits = {
  frameBytes: 64 * 1024,
  frames: 30,
  frameMilliseconds: 10_000,
  perUser: 5,
  perAddress: 10_000,
  waitingPerAddress: 200,
  bufferedBytes: 1024 * 1024,
  allBufferedBytes: 128 * 1024 * 1024,
  authMilliseconds: 5_000,
  heartbeatMilliseconds: 25_000,
  silentMilliseconds: 60_000,
}
