import type { Finding, SourceFile } from '../source-files.ts'
import {
  findEncodingCommands,
  findStrayConnections,
  findWrongFeatureImports,
  findWrongTiers,
  findWrongWebImports,
} from './imports.ts'
import { findBareWaits, findSecondWays } from './one-way.ts'
import {
  findImpureDomain,
  findRawColours,
  findRawEmits,
  findStrayClocks,
  findStrayFields,
  findStrayFormats,
  findStrayOpeners,
  findStraySettings,
  findStrayStorage,
  findStrayTransactions,
  findYoungBuiltIns,
} from './platform.ts'
import { findBareTexts, findBarrels, findDefaultExports, findLooseTexts } from './shape.ts'
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
  findYoungBuiltIns,
  findStrayClocks,
  findStrayFields,
  findStraySettings,
  findStrayOpeners,
  findStrayTransactions,
  findStrayFormats,
  findStrayStorage,
  findRawEmits,
  findRawColours,
  findSecondWays,
  findBareWaits,
  findDefaultExports,
  findBarrels,
  findLooseTexts,
  findBareTexts,
  findForeignWrites,
  findRawTickReads,
  findCountedPlaceholders,
  findWireWords,
  findLeftovers,
  findWrongFileNames,
  findMachinePaths,
} as const satisfies Record<string, (file: SourceFile) => Finding[]>
