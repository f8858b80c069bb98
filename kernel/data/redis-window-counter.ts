import type { Redis } from 'ioredis'
import { OutageLog } from '../outage-log.ts'
import type { Logger } from '../log.ts'
import { partMs, type WindowCounter, type WindowStanding, type WindowWish } from './window-counter.ts'

/** A hash a window, a field a part; the server's clock, so that hosts whose clocks differ count alike. */
const takeAll = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local answer = { 1 }
for i, key in ipairs(KEYS) do
  local amount, limit = tonumber(ARGV[i * 4 - 3]), tonumber(ARGV[i * 4 - 2])
  local size, count = tonumber(ARGV[i * 4 - 1]), tonumber(ARGV[i * 4])
  local part = math.floor(now / size)
  local used, wait, past, parts = 0, 0, {}, {}
  local all = redis.call('HGETALL', key)
  for j = 1, #all, 2 do
    local at, there = tonumber(all[j]), tonumber(all[j + 1])
    if at <= part - count then
      past[#past + 1] = all[j]
    else
      used = used + there
      parts[#parts + 1] = { at, there }
    end
  end
  if #past > 0 then redis.call('HDEL', key, unpack(past)) end
  if used + amount > limit then
    answer[1] = 0
    wait = count * size
    table.sort(parts, function(a, b) return a[1] < b[1] end)
    local left = used
    for _, each in ipairs(parts) do
      left = left - each[2]
      if left + amount <= limit then
        wait = (each[1] + count) * size - now
        break
      end
    end
  end
  answer[#answer + 1] = used
  answer[#answer + 1] = part
  answer[#answer + 1] = wait
end
if answer[1] == 1 then
  for i, key in ipairs(KEYS) do
    if ARGV[i * 4 - 3] ~= '0' then
      redis.call('HINCRBY', key, string.format('%.0f', answer[i * 3]), ARGV[i * 4 - 3])
      redis.call('PEXPIRE', key, ARGV[i * 4 - 1] * ARGV[i * 4] + 1000)
    end
  end
end
return answer
`

const giveAll = `
for i, key in ipairs(KEYS) do
  if redis.call('HEXISTS', key, ARGV[i * 2 - 1]) == 1 then redis.call('HINCRBY', key, ARGV[i * 2 - 1], ARGV[i * 2]) end
end
`

type Arguments = readonly (string | number)[]
type Script = Redis & {
  stoaTakeWindows(keys: number, ...rest: Arguments): Promise<readonly number[]>
  stoaGiveWindows(keys: number, ...rest: Arguments): Promise<unknown>
}

/** Keys that are looked through for those that begin in some way. */
const scanned = 1_000
const scans = 200

/** Adds up for all hosts together; while Redis is away each host counts for itself. */
export class RedisWindowCounter implements WindowCounter {
  readonly #redis: Script
  readonly #prefix: string
  readonly #fallback: WindowCounter
  readonly #outage: OutageLog

  constructor(redis: Redis, prefix: string, fallback: WindowCounter, log: Logger) {
    redis.defineCommand('stoaTakeWindows', { lua: takeAll })
    redis.defineCommand('stoaGiveWindows', { lua: giveAll })
    this.#redis = redis as Script
    this.#prefix = prefix
    this.#fallback = fallback
    this.#outage = new OutageLog(log, 'windows of rates are counted on this host alone')
  }

  async take(
    wishes: readonly WindowWish[],
  ): Promise<{ readonly isTaken: boolean; readonly windows: readonly WindowStanding[] }> {
    const answer = await this.#try(() =>
      this.#redis.stoaTakeWindows(
        wishes.length,
        ...wishes.map(({ key }) => this.#prefix + key),
        ...wishes.flatMap((wish) => [wish.amount, wish.limit, partMs(wish), wish.parts]),
      ),
    )
    if (!answer) return this.#fallback.take(wishes)
    const isTaken = answer[0] === 1
    const windows = wishes.map(({ amount }, at) => {
      const [used = 0, part = 0, waitMs = 0] = answer.slice(1 + at * 3, 4 + at * 3)
      return { used: isTaken ? used + amount : used, part, waitMs }
    })
    return { isTaken, windows }
  }

  async give(back: readonly { readonly key: string; readonly part: number; readonly amount: number }[]): Promise<void> {
    await this.#try(() =>
      this.#redis.stoaGiveWindows(
        back.length,
        ...back.map(({ key }) => this.#prefix + key),
        ...back.flatMap(({ part, amount }) => [part, -amount]),
      ),
    )
    await this.#fallback.give(back)
  }

  async clear(key: string): Promise<void> {
    await this.#try(() => this.#redis.del(this.#prefix + key))
    await this.#fallback.clear(key)
  }

  async keys(prefix: string, limit: number): Promise<readonly string[]> {
    const pattern = `${(this.#prefix + prefix).replaceAll(/[\\*?[\]]/g, String.raw`\$&`)}*`
    const found = await this.#try(async () => {
      const keys = new Set<string>()
      let cursor = '0'
      for (let scan = 0; scan < scans && keys.size < limit; scan++) {
        const [next, some] = await this.#redis.scan(cursor, 'MATCH', pattern, 'COUNT', scanned)
        for (const key of some) keys.add(key.slice(this.#prefix.length))
        cursor = next
        if (cursor === '0') break
      }
      return [...keys].slice(0, limit)
    })
    return found ?? this.#fallback.keys(prefix, limit)
  }

  /** Undefined while Redis is away. */
  async #try<T>(work: () => Promise<T>): Promise<T | undefined> {
    let answer: T | undefined
    await this.#outage.watch(async () => {
      answer = await work()
    })
    return answer
  }
}
