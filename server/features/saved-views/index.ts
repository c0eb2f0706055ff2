/** Saved views: the back office's lists as admins keep and share them. Owns saved_views. Emits no events. */
export { registerSavedViews } from './routes.ts'
