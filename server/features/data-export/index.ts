/** Data export: the data of one account as a ZIP file that its owner saves (rules §4.8). Owns no table. */
export { registerDataExport } from './routes.ts'
