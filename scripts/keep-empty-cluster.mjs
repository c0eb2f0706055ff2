// Stores an empty database for a server's first start. scripts/project.mjs runs this while the web is being built.
import { newClusterDump } from '#server/platform/database/embedded.ts'
import { keepEmptyCluster } from '#server/platform/database/empty-cluster.ts'

await keepEmptyCluster(newClusterDump)
