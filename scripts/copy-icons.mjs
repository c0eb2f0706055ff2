// `npm run icons`: copies the icons that the web uses from lucide-react to web/ui/icons, so that a build needs only
// the copies. Run it after the import of a new icon and after an update of the package. checks/icons.test.ts compares
// the copies with the package. The paths of an icon are joined to one path, which needs fewer bytes.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { root } from './project.mjs'

const lucide = await import('lucide-react')
const LINE_WIDTH = 120
const web = join(root, 'web')
const target = join(web, 'ui/icons')

const names = new Set()
for (const path of readdirSync(web, { recursive: true }).filter((one) => /\.tsx?$/.test(one)))
  for (const [, name] of readFileSync(join(web, path), 'utf8').matchAll(
    /import \{ (\w+) \} from '(?:#web\/ui|\.)\/icons\//g,
  ))
    names.add(name)

/** Makes an SVG path independent of the path before it: its first `m` becomes `M`; later coordinates stay relative. */
const fromItsStart = (path) => path.replace(/^m(-?[\d.]+[ -][\d.]+)(?![\d.]) ?(?=[\d-])/, 'M$1l').replace(/^m/, 'M')

rmSync(target, { recursive: true, force: true })
mkdirSync(target)
for (const name of names) {
  const file = `${name.replaceAll(/(?<=[a-z])(?=[A-Z\d])/g, '-').toLowerCase()}.tsx`
  const shapes = renderToStaticMarkup(createElement(lucide[name])).matchAll(/<((?!svg)\w+[^<>]*)>/g)
  const { paths = [], others = [] } = Object.groupBy(
    Array.from(shapes, ([, shape]) => shape),
    (shape) => (shape.startsWith('path') ? 'paths' : 'others'),
  )
  const path = paths.map((shape) => fromItsStart(/ d="([^"]*)"/.exec(shape)[1])).join('')
  const drawn = [...(path === '' ? [] : [`path d="${path}"`]), ...others].map((shape) => `<${shape} />`)
  const line = `export const ${name} = icon(${drawn.join(', ')})`
  const code = line.length > LINE_WIDTH ? `export const ${name} = icon(\n  ${drawn.join(',\n  ')},\n)` : line
  writeFileSync(join(target, file), `import { icon } from '../icon.tsx'\n\n${code}\n`)
}
copyFileSync(join(root, 'node_modules/lucide-react/LICENSE'), join(target, 'license.txt'))
