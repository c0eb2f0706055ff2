export const PROGRAMS = {
  etcd: 'etcd-server',
  patroni: 'patroni',
  haproxy: 'haproxy',
  'redis-server': 'redis-server',
} as const
export const COUNT = 3

export const portsFrom = (base: number) => ({
  etcd: (nth: number) => base + 2 * nth,
  etcdPeer: (nth: number) => base + 2 * nth + 1,
  postgres: (nth: number) => base + 10 + nth,
  patroni: (nth: number) => base + 20 + nth,
  redis: (nth: number) => base + 30 + nth,
  sentinel: (nth: number) => base + 40 + nth,
  process: (nth: number) => base + 60 + nth,
  haproxyPostgres: base + 50,
  haproxyWeb: base + 51,
  haproxyStats: base + 52,
})
export type Ports = ReturnType<typeof portsFrom>
export const PORT_SPAN = 70
export const HOST = '127.0.0.1'
