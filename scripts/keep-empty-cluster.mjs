// Run by the launcher after an installation, under the project's own Node.
import { newClusterDump } from '../server/platform/embedded.ts'
import { keepEmptyCluster } from '../server/platform/empty-cluster.ts'

await keepEmptyCluster(await newClusterDump())
