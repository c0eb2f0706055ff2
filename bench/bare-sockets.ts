/**
 * The yardstick of many sockets: the least that a process has to do to send a price to each of them, which is one write
 * of the same bytes to each TCP connection, without WebSocket, rooms or a game. It runs in a process of its own.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** An event in a frame of a server, as long as a frame with a price and its times. */
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
  // The client's first messages are answered in their order: the upgrade, the token, and the one that says that it
  // watches.
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
