import * as z from 'zod/mini'

// Keeps zod from trying eval, which the content security policy forbids. Import this file before a schema is used.
z.config({ jitless: true })
