// Run by the launcher beside a build of the web, under the project's own Node.
import { newClusterDump } from '#server/platform/database/embedded.ts'
import { keepEmptyCluster, keptEmptyCluster } from '#server/platform/database/empty-cluster.ts'

if ((await keptEmptyCluster()) === null) await keepEmptyCluster(await newClusterDump())
