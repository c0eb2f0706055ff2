import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { type ChunkPlan, chunkPlans } from '../web/boot/chunks.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const iconsDir = 'web/ui/icons/'

/** Returns paths relative to the repository. Those of packages end with a slash. */
const pathsOf = ({ files = [], packages = [], icons = [] }: ChunkPlan): readonly string[] => [
  ...files,
  ...packages.map((name) => `node_modules/${name}/`),
  ...(icons === 'shared' ? [] : icons.map((name) => `${iconsDir}${name}.tsx`)),
]

const pathOf = (moduleId: string): string =>
  moduleId
    .replace(/[?#].*$/, '')
    .replaceAll('\\', '/')
    .replace(root.replaceAll('\\', '/'), '')

export function chunkGroups() {
  const missing = chunkPlans.flatMap(pathsOf).filter((path) => !existsSync(join(root, path)))
  if (missing.length > 0) throw new Error(`web/boot/chunks.ts names what is not there: ${missing.join(', ')}`)
  return chunkPlans.map((plan) => {
    if (plan.icons === 'shared')
      return { name: plan.name, test: (moduleId: string) => pathOf(moduleId).startsWith(iconsDir), minShareCount: 2 }
    const paths = pathsOf(plan)
    const files = new Set(paths)
    const folders = paths.filter((path) => path.endsWith('/'))
    return {
      name: plan.name,
      test: (moduleId: string) => {
        const path = pathOf(moduleId)
        return files.has(path) || folders.some((folder) => path.startsWith(folder))
      },
    }
  })
}

/** Stops the build if web/boot/chunks.ts names a path twice, or if a path's modules are not all in the path's chunk. */
export function checkChunks(): Plugin {
  return {
    name: 'check-chunks',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunkOf = new Map<string, string>()
      for (const output of Object.values(bundle)) {
        if (output.type === 'chunk') for (const id of output.moduleIds) chunkOf.set(pathOf(id), output.name)
      }
      const modules = [...chunkOf.keys()]
      const taken = new Set<string>()
      const wrong = chunkPlans.flatMap((plan) =>
        pathsOf(plan).flatMap((path) => {
          if (taken.has(path)) return [`${path} is named twice`]
          taken.add(path)
          const inside = path.endsWith('/') ? modules.filter((module) => module.startsWith(path)) : [path]
          const names = new Set(inside.map((module) => chunkOf.get(module) ?? 'no chunk'))
          return names.size === 1 && names.has(plan.name)
            ? []
            : [`${path} is not in ${plan.name} alone: ${[...names].join(', ') || 'no chunk'}`]
        }),
      )
      if (wrong.length > 0) throw new Error(`web/boot/chunks.ts:\n${wrong.join('\n')}`)
    },
  }
}
