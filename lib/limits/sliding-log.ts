/**
 * The ring of window.ts as a list in Redis: the moments of the allowed requests of one subject, oldest first.
 *
 * KEYS[1] the list. ARGV: limit, window in ms, how many places to take, all or none; 0 only looks. Returns {1 when allowed, places left, ms
 * until one more is free, or as many as were refused}.
 *
 * The clock is Redis's own: each allowed request sets the list's time to live to the window, so the remaining time tells how long
 * ago the newest was. Clocks of instances do not matter, and every command uses only the key, which the flag of the first line
 * promises: Upstash then locks this key only and not the database.
 */
export const SLIDING_LOG = `#!lua flags=allow-key-locking
local key, limit, window, cost = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local now = 0
local newest = redis.call('LINDEX', key, -1)
if newest then
  local left = redis.call('PTTL', key)
  if left < 0 or left > 2 * window then
    redis.call('DEL', key) -- Redis's clock was set back: nobody can say any more when these were
  else
    now = tonumber(newest) + math.max(0, window - left)
  end
end
local oldest = redis.call('LINDEX', key, 0)
while oldest and tonumber(oldest) <= now - window do
  redis.call('LPOP', key)
  oldest = redis.call('LINDEX', key, 0)
end
local size, allowed
if cost > 0 then
  -- It answers the new length, so that none need be asked for; what was too many is taken off again.
  for _ = 1, cost do
    size = redis.call('RPUSH', key, string.format('%.0f', now))
  end
  allowed = size <= limit and 1 or 0
  if allowed == 1 then
    redis.call('PEXPIRE', key, window)
    oldest = oldest or now
  else
    for _ = 1, cost do
      redis.call('RPOP', key)
    end
    size = size - cost
  end
else
  size = redis.call('LLEN', key)
  allowed = size < limit and 1 or 0
end
local over = size - limit + (allowed == 1 and 0 or math.max(cost, 1) - 1)
if over > 0 then
  oldest = redis.call('LINDEX', key, over)
end
return { allowed, math.max(0, limit - size), oldest and tonumber(oldest) + window - now or 0 }
`
