import * as z from 'zod/mini'

// The content security policy forbids eval, which zod would try otherwise. Import this before any schema is used.
z.config({ jitless: true })
