/** CPU time in milliseconds that this process spent, without what its first thread did: the isolates' threads, and what the engine does for them. */
export function guestCpuMs(): number {
  const all = process.cpuUsage()
  const own = process.threadCpuUsage()
  return (all.user + all.system - own.user - own.system) / 1_000
}
