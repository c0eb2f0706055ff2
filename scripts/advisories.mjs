// `npm run advisories`: asks npm's registry for advisories about the versions in package-lock.json and stores the
// answer in known-advisories.json, which is used when the registry gives no answer. Exits with 0 if no advisory
// concerns a locked version, 1 if one does, and 2 if the registry gave no answer.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, root, runNpm } from './project.mjs'

const COULD_NOT_ASK = 2
const keptFile = join(root, 'scripts/known-advisories.json')

await ensureInstalled({ tools: true })
const { default: semver } = await import('semver')
const locked = lockedVersions()
const answer = await askRegistry()

if (answer.advisories === null) {
  const { askedAt, advisories } = JSON.parse(readFileSync(keptFile, 'utf8'))
  print(`The registry could not be asked: ${answer.reason}.`)
  if (askedAt === null) print('No earlier answer is kept, so nothing is known about the locked versions.')
  else {
    const days = Math.floor((Date.now() - Date.parse(askedAt)) / 86_400_000)
    print(
      `The answer kept is ${days} days old, of ${askedAt}, and names ${advisories.length}; what came since is unknown.`,
    )
    report(advisories)
  }
  process.exitCode = COULD_NOT_ASK
} else {
  print('The registry was asked just now.')
  process.exitCode = report(answer.advisories) === 0 ? 0 : 1
  const kept = { askedAt: new Date().toISOString(), advisories: answer.advisories }
  writeFileSync(keptFile, `${JSON.stringify(kept, null, 2)}\n`)
}

/** Lists each package under its own name, even if it is installed under an alias. */
function lockedVersions() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { name, version }]) => ({ name: name ?? path.split('node_modules/').at(-1), version }))
}

async function askRegistry() {
  // In offline mode npm would report no advisories, as if the registry had none.
  const asked = ['--no-offline', '--include=prod', '--include=dev', '--include=optional', '--include=peer']
  const { output } = await runNpm(['audit', '--json', '--package-lock-only', '--fetch-retries=0', ...asked])
  let report
  try {
    report = JSON.parse(output)
  } catch {
    return { advisories: null, reason: 'npm gave no answer that can be read' }
  }
  if (report.vulnerabilities === undefined) {
    const reason = report.error?.summary || report.message || 'npm gave no reason'
    return { advisories: null, reason: reason.split('\n', 1)[0].replaceAll(/\bhttps?:\S+/g, 'its address') }
  }
  const bySource = new Map()
  for (const { via } of Object.values(report.vulnerabilities))
    for (const cause of via)
      // A cause that is a string names another package, which has its own entry.
      if (typeof cause === 'object') {
        const { source, name, range, severity, title, url } = cause
        bySource.set(source, { package: name, range, severity, title, url })
      }
  return { advisories: [...bySource.values()].toSorted((a, b) => a.package.localeCompare(b.package)) }
}

function report(advisories) {
  let found = 0
  for (const { package: name, range, severity, title, url } of advisories) {
    const versions = locked.filter(
      (one) => one.name === name && semver.satisfies(one.version, range, { includePrerelease: true }),
    )
    if (versions.length === 0) continue
    found++
    print(`${severity}  ${name} ${[...new Set(versions.map(({ version }) => version))].join(', ')}: ${title} (${url})`)
  }
  print(
    `${found} known ${found === 1 ? 'advisory concerns' : 'advisories concern'} the ${locked.length} locked packages.`,
  )
  return found
}

function print(line) {
  process.stdout.write(`${line}\n`)
}
