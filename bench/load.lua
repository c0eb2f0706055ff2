-- Sends the requests of a file in turn, each once. A line of the file has bearer token, idempotency key and body.
local requests = {}
local sent = 0

function init(args)
  local path = wrk.path
  for line in io.lines(args[1]) do
    local token, key, body = line:match("^(%S+) (%S+) (.+)$")
    requests[#requests + 1] = wrk.format("POST", path, {
      ["Authorization"] = "Bearer " .. token,
      ["Content-Type"] = "application/json",
      ["Idempotency-Key"] = key,
    }, body)
  end
end

function request()
  sent = sent + 1
  if sent > #requests then
    wrk.thread:stop()
    return requests[#requests]
  end
  return requests[sent]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"requests":%d,"durationUs":%d,"refused":%d,"broken":%d,"p50Us":%d,"p99Us":%d}\n',
    summary.requests, summary.duration, errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
