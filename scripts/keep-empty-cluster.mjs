// scripts/project.mjs runs this while the web is being built, under the project's own Node.
import { newClusterDump } from '#server/platform/database/embedded.ts'
import { keepEmptyCluster } from '#server/platform/database/empty-cluster.ts'

await keepEmptyCluster(newClusterDump)
