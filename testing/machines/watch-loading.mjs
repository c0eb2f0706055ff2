// Loaded by `--import` before a server: writes the modules that it loads and the addresses that it connects to, one to a line, into
// the file of WATCH_LOADING.
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { Socket } from 'node:net'

const note = (line) => appendFileSync(process.env.WATCH_LOADING, `${line}\n`)

registerHooks({
  load(url, context, next) {
    note(`module ${url}`)
    return next(url, context)
  },
})

const { connect } = Socket.prototype
Socket.prototype.connect = function (...args) {
  const [first] = Array.isArray(args[0]) ? args[0] : args
  if (typeof first === 'object' && first !== null) note(`connect ${first.path ?? `${first.host}:${first.port}`}`)
  else note(`connect ${first}`)
  return connect.apply(this, args)
}
