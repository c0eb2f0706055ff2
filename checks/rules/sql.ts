import { at, type Finding, isNode, isTest, type SourceFile, type SyntaxNode, textOf } from '../source-files.ts'

const SQL_FILE = 'server/platform/database/sql.ts'

/** The text in front of each gap of a template; a string concatenation counts as a template with one gap. */
function textsBeforeGaps(node: SyntaxNode): readonly (string | null)[] {
  if (node.type === 'TemplateLiteral') {
    const quasis = node['quasis'] as ReadonlyArray<{ readonly value: { readonly cooked: string | null } }>
    return quasis.slice(0, -1).map(({ value }) => value.cooked)
  }
  const left = node['left']
  return node.type === 'BinaryExpression' && node['operator'] === '+' && isNode(left) ? [textOf(left)] : []
}

/** Placeholders that are numbered by hand have to match an array by eye, so one file numbers them. */
export function findCountedPlaceholders(file: SourceFile): Finding[] {
  if (!/^(server|bench|proofs)\//.test(file.path) || isTest(file.path) || file.path === SQL_FILE) return []
  return file
    .nodes()
    .flatMap(({ node }) =>
      textsBeforeGaps(node).some((text) => text?.endsWith('$') === true)
        ? [at(file, node, `name the parameter with sql\`…\`, or collect it with collectParams() (${SQL_FILE})`)]
        : [],
    )
}
