import {
  at,
  type Finding,
  importsOf,
  isMember,
  isNode,
  isTest,
  nameOf,
  type SourceFile,
  type SyntaxNode,
} from '../source-files.ts'

/** The web's files that may import a name of a library; everybody else uses what they export. */
const ONE_WAY: ReadonlyArray<{
  readonly from: string
  readonly name: string
  readonly files: readonly string[]
  readonly instead: string
}> = [
  {
    from: '@tanstack/react-query',
    name: 'useMutation',
    files: ['web/ui/use-act.ts'],
    instead: 'an act is a useAct of web/ui/use-act.ts',
  },
  {
    from: 'react-hook-form',
    name: 'useForm',
    // A visitor who registers has no query library yet.
    files: ['web/ui/use-act-form.ts', 'web/features/identity/register-form.tsx'],
    instead: 'a form is a useActForm of web/ui/use-act-form.ts',
  },
]

/** Wall 12: an act, a form, the key of a query and the reading of a refusal are written in one way each. */
export function findSecondWays(file: SourceFile): Finding[] {
  if (!file.path.startsWith('web/') || isTest(file.path)) return []
  const imported = importsOf(file).flatMap(({ node, specifier }) => {
    const specifiers = Array.isArray(node['specifiers']) ? node['specifiers'].filter(isNode) : []
    const names = specifiers.map((one) => nameOf(one['imported']))
    return ONE_WAY.filter(
      ({ from, name, files }) => from === specifier && names.includes(name) && !files.includes(file.path),
    ).map(({ instead }) => at(file, node, instead))
  })
  const written = file.nodes().flatMap(({ node }) => {
    if (isHandMadeBusy(node)) return [at(file, node, 'whether a call is under way comes from useAct')]
    // Images are fetched as bytes of files and not by endpoints, so image-source.ts makes its own key.
    if (isPrivateKey(node) && !/^web\/(platform|lists)\/|api\.ts$|chat\/image-source\.ts$/.test(file.path))
      return [at(file, node, 'a key is made by endpointQuery, or by the api.ts of its feature')]
    return isPrivateRefusal(node) && !file.path.startsWith('web/platform/')
      ? [at(file, node, 'read a refusal with refusalOf or failureText of web/platform/http.ts')]
      : []
  })
  return [...imported, ...written]
}

/** `const [isBusy, …] = useState(…)` */
function isHandMadeBusy(node: SyntaxNode): boolean {
  const { id, init } = node as { readonly id?: unknown; readonly init?: unknown }
  if (node.type !== 'VariableDeclarator' || !isNode(id) || !isNode(init) || nameOf(init['callee']) !== 'useState')
    return false
  const [first] = Array.isArray(id['elements']) ? (id['elements'] as readonly unknown[]) : []
  return nameOf(first) === 'isBusy'
}

/** `queryKey: […]` */
const isPrivateKey = (node: SyntaxNode): boolean =>
  node.type === 'Property' &&
  nameOf(node['key']) === 'queryKey' &&
  isNode(node['value']) &&
  node['value'].type === 'ArrayExpression'

/** `… instanceof ApiError` */
const isPrivateRefusal = (node: SyntaxNode): boolean =>
  node.type === 'BinaryExpression' && node['operator'] === 'instanceof' && nameOf(node['right']) === 'ApiError'

/**
 * What a drawn part does while a test waits is complained about on a slow machine, as "not wrapped in act": only the
 * waits of testing-library, and those in an `act`, let it go on.
 */
export function findBareWaits(file: SourceFile): Finding[] {
  const draws = importsOf(file).some(({ specifier }) => /^@testing-library\/react$|\/render\.tsx$/.test(specifier))
  if (!/^web\/.*\.test\.tsx$/.test(file.path) || !draws) return []
  return file.nodes().flatMap(({ node }) => {
    const isWait = isMember(node, 'expect', 'poll') || ['waitFor', 'waitUntil'].some((by) => isMember(node, 'vi', by))
    const isInAct = file.text.slice(0, node.start).endsWith('act(() => ')
    return isWait && !isInAct ? [at(file, node, 'wait with waitFor or findBy… of @testing-library/react')] : []
  })
}
