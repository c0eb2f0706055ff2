/**
 * The yardstick for many-sockets.ts, a program of its own: once a second, it writes the same bytes to each TCP
 * connection, without a WebSocket library, rooms or a game. No server can send a price to all sockets with less work.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** Returns a server's WebSocket frame with this text. The frame always writes its length in two bytes. */
const frameOf = (text: string): Buffer => {
  const payload = Buffer.from(text)
  return Buffer.concat([Buffer.from([0x81, 126, payload.length >> 8, payload.length & 0xff]), payload])
}
const priceAt = (second: number): Buffer => {
  const at = new Date(second * 1000).toISOString()
  const tick = {
    source: 'simulated',
    sourceLabel: 'Giá mô phỏng',
    second,
    price: '2345.67',
    quoteAt: at,
    serverTime: at,
  }
  return frameOf(`42${JSON.stringify(['price_tick', tick])}`)
}

const sockets = new Set<Socket>()
const server = createServer({ noDelay: true }, (socket) => {
  let step = 0
  socket.on('error', () => {})
  socket.on('close', () => sockets.delete(socket))
  // The client's first three messages are answered in this order: the upgrade, the token, and `watch_game`.
  socket.on('data', () => {
    step += 1
    if (step === 1) socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
    else if (step === 2) socket.write(frameOf('40{"sid":"x"}'))
    else if (step === 3) {
      socket.write(frameOf('430[{"ok":true}]'))
      sockets.add(socket)
    }
  })
})
server.listen(0, '127.0.0.1', 4096, () => process.send?.({ port: (server.address() as AddressInfo).port }))
setInterval(() => {
  const price = priceAt(Math.floor(Date.now() / 1000))
  for (const socket of sockets) socket.write(price)
}, 1_000)
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuS: (user + system) / 1e6 })
})
process.on('disconnect', () => process.exit())
