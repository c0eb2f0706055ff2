/** Data export: everything of one account as a file that its owner saves (rules §4.8). Owns no table. */
export { registerDataExport } from './routes.ts'
