import * as z from 'zod/mini'

// The content security policy forbids eval, which zod would otherwise try for its fast path. This import must come
// before any schema is used.
z.config({ jitless: true })
