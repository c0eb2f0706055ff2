// Preloaded into the servers of journeys: one ends with the worker that started it, however that ends.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) process.exit()
}, 500).unref()
