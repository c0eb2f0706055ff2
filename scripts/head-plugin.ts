import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown, runnerImport } from 'vite'
import type { earlyPaths } from '../web/boot/first-calls.ts'
import type { BootTable } from '../web/boot/head.ts'
import { reach } from './bundle-graph.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export const target = ['chrome111', 'edge111', 'firefox128', 'safari16.4']

/** The module of a route's component: imported in place, or by a function of web/routes.tsx. */
const moduleOf = /(?:lazyRouteComponent\(|screen\(titles\.\w+, )(?:\(\) => import\('#web\/([^']+)'\)|(\w+))/

/** Returns the modules of each path in web/routes.tsx. Throws if a route can't be parsed. */
export function readScreens(routes: string): ReadonlyMap<string, readonly string[]> {
  const loaders = new Map(
    [...routes.matchAll(/^const (\w+) = \(\) => import\('#web\/([^']+)'\)/gm)].map((m) => [m[1], m[2]]),
  )
  const known = new Map([['root', { path: '', modules: [] as readonly string[] }]])
  const screens = new Map<string, readonly string[]>()
  for (const [, , name = '', body = ''] of routes.matchAll(
    /^( *)(?:const (\w+) = )?createRoute\(\{\n(.*?)^\1\}\)/gms,
  )) {
    const parent = known.get(/getParentRoute: \(\) => (\w+)/.exec(body)?.[1] ?? '')
    const loader = moduleOf.exec(body)
    const module = loader?.[1] ?? loaders.get(loader?.[2])
    if (parent === undefined || module === undefined) throw new Error(`web/routes.tsx: a route can't be read: ${body}`)
    const path = /^ +path: '([^']*)'/m.exec(body)?.[1]
    const route = { path: joinPaths(parent.path, path ?? ''), modules: [...parent.modules, `web/${module}`] }
    known.set(name || route.path, route)
    if (path !== undefined) screens.set(route.path, route.modules)
  }
  if (screens.size === 0 || known.size !== routes.split('createRoute({').length) {
    throw new Error('web/routes.tsx: a route is written in a way that is not known here.')
  }
  return screens
}

/** Returns the paths that need no sign-in. They have one module; other paths also have the module of a guarded area. */
export const readOpen = (screens: ReadonlyMap<string, readonly string[]>): readonly string[] =>
  [...screens].filter(([, modules]) => modules.length === 1).map(([path]) => path)

const joinPaths = (parent: string, path: string) => `${parent}${path}`.replace(/(?<=.)\/$/, '').replaceAll('//', '/')

function readFiles(bundle: Rolldown.OutputBundle): Pick<BootTable, 'screens' | 'open' | 'files' | 'fonts'> {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const importsOf = (fileName: string) => {
    const output = bundle[fileName]
    return output?.type === 'chunk' ? output.imports : []
  }
  const entries = chunks.filter(({ isEntry }) => isEntry)
  const entry = reach(
    entries.map(({ fileName }) => fileName),
    importsOf,
  )
  const files: string[] = []
  const screens: Record<string, number[]> = {}
  const modulesOf = readScreens(readFileSync(join(root, 'web/routes.tsx'), 'utf8'))
  for (const [path, modules] of modulesOf) {
    const own = modules.map((module) => {
      const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === join(root, module))
      if (chunk === undefined) throw new Error(`The build has no chunk for ${module}.`)
      return chunk.fileName
    })
    screens[path] = [...reach(own, importsOf)]
      .filter((file) => !entry.has(file))
      .map((file) => {
        const name = /^assets\/(.+)\.js$/.exec(file)?.[1]
        if (name === undefined) throw new Error(`${file} is not where web/boot/head.ts looks for it.`)
        if (!files.includes(name)) files.push(name)
        return files.indexOf(name)
      })
  }
  const fonts = Object.keys(bundle)
    .filter((fileName) => fileName.endsWith('.woff2'))
    .map((fileName) => `/${fileName}`)
  return { screens, open: readOpen(modulesOf), files, fonts }
}

async function bundleHead(table: BootTable): Promise<string> {
  const output = (await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    define: { bootTable: JSON.stringify(table) },
    build: {
      write: false,
      target,
      modulePreload: false,
      rolldownOptions: { input: join(root, 'web/boot/head.ts'), output: { format: 'iife' } },
    },
  })) as Rolldown.RolldownOutput
  const [script, ...others] = output.output
  if (others.length > 0) throw new Error('web/boot/head.ts is more than one file.')
  return script.code.trim()
}

async function readEarlyPaths(): Promise<typeof earlyPaths> {
  const { module } = await runnerImport<{ earlyPaths: typeof earlyPaths }>(join(root, 'web/boot/first-calls.ts'), {
    configFile: false,
    root,
    logLevel: 'warn',
  })
  return module.earlyPaths
}

/** Writes web/boot/head.ts as an inline script into each page, above the stylesheet, which would delay the script. */
export function headScript(): Plugin {
  return {
    name: 'head-script',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle }) {
        const files = bundle === undefined ? { screens: {}, open: [], files: [], fonts: [] } : readFiles(bundle)
        const script = await bundleHead({ ...files, ...(await readEarlyPaths()) })
        const marked = html.replace('<!-- head -->', '')
        if (marked === html) throw new Error('A page does not say where web/boot/head.ts goes.')
        const place = /\n\s*<link rel="stylesheet"|<\/head>/
        return marked.replace(place, (next) => `\n    <script>${script}</script>${next}`)
      },
    },
  }
}
