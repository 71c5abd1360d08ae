import { compileEarly } from '@/db/drivers/pglite-code'

// Other threads compile while this one loads the rest.
compileEarly()
const { start } = await import('@/lib/server/serve')
start()
