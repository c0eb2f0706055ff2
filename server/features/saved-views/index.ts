/** Saved views: searches in the back office's lists that admins keep and share. Owns saved_views. Emits no events. */
export { registerSavedViews } from './routes.ts'
