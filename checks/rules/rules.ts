import type { Finding, SourceFile } from '../source-files.ts'
import {
  findEncodingCommands,
  findStrayConnections,
  findWrongFeatureImports,
  findWrongTiers,
  findWrongWebImports,
} from './imports.ts'
import {
  findImpureDomain,
  findRawColours,
  findRawEmits,
  findStrayClocks,
  findStrayFormats,
  findStrayOpeners,
  findStraySettings,
  findStrayStorage,
  findStrayTransactions,
} from './platform.ts'
import { findBarrels, findDefaultExports } from './shape.ts'
import { findCountedPlaceholders } from './sql.ts'
import { findForeignWrites, findRawTickReads } from './tables.ts'
import { findLeftovers, findMachinePaths, findWireWords, findWrongFileNames } from './words.ts'

/** The walls of docs/architecture.md that no compiler or linter checks. */
export const rules = {
  findWrongTiers,
  findWrongFeatureImports,
  findWrongWebImports,
  findStrayConnections,
  findEncodingCommands,
  findImpureDomain,
  findStrayClocks,
  findStraySettings,
  findStrayOpeners,
  findStrayTransactions,
  findStrayFormats,
  findStrayStorage,
  findRawEmits,
  findRawColours,
  findDefaultExports,
  findBarrels,
  findForeignWrites,
  findRawTickReads,
  findCountedPlaceholders,
  findWireWords,
  findLeftovers,
  findWrongFileNames,
  findMachinePaths,
} as const satisfies Record<string, (file: SourceFile) => Finding[]>
