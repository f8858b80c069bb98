/** Redis's own clock, so that hosts whose clocks differ write in one order; `began` is when it was first asked. */
const clock = `
local function tick(key)
  local now = redis.call('TIME')
  local ms = now[1] * 1000 + math.floor(now[2] / 1000)
  local last = redis.call('HMGET', key, 'ms', 'count')
  local count = 0
  if last[1] and tonumber(last[1]) >= ms then
    ms, count = tonumber(last[1]), tonumber(last[2]) + 1
    if count > 4095 then ms, count = ms + 1, 0 end
  end
  redis.call('HSET', key, 'ms', string.format('%.0f', ms), 'count', count)
  if not last[1] then redis.call('HSET', key, 'began', string.format('%.0f-%d', ms, count)) end
  return string.format('%.0f-%d', ms, count)
end
`

/** KEYS clock, stream; ARGV text, most, milliseconds to keep, channel → the position. Written and told in one step: hosts hear in order. */
export const appendScript = `${clock}
local at = tick(KEYS[1])
redis.call('XADD', KEYS[2], 'MAXLEN', ARGV[2], at, 't', ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
redis.call('PUBLISH', ARGV[4], at .. ' ' .. ARGV[1])
return at
`

/**
 * KEYS clock; ARGV 'cut', 'mark' or '', channel → the last position. A cut says that before it something could not be written, a mark
 * only how late it is.
 */
export const headScript = `${clock}
if ARGV[1] == 'cut' then
  local at = tick(KEYS[1])
  redis.call('HSET', KEYS[1], 'began', at)
  redis.call('PUBLISH', ARGV[2], at)
  return at
end
if ARGV[1] == 'mark' then
  local at = tick(KEYS[1])
  redis.call('PUBLISH', ARGV[2], at)
  return at
end
local last = redis.call('HMGET', KEYS[1], 'ms', 'count')
if last[1] then return last[1] .. '-' .. last[2] end
return tick(KEYS[1])
`

/** KEYS clock, streams …; ARGV position, most → milliseconds now, began, last, and of each stream the entries after, or nil where some are gone. */
export const readScript = `
local now = redis.call('TIME')
local known = redis.call('HMGET', KEYS[1], 'ms', 'count', 'began')
if not known[1] then return {} end
local answer = { now[1] * 1000 + math.floor(now[2] / 1000), known[3], known[1] .. '-' .. known[2] }
for at = 2, #KEYS do
  local entries = redis.call('XRANGE', KEYS[at], '(' .. ARGV[1], '+')
  if #entries > tonumber(ARGV[2]) then return {} end
  answer[#answer + 1] = entries
end
return answer
`
