import { compileEarly } from '@/db/drivers/pglite-code'

// Other threads compile while this one loads the rest.
compileEarly()
const { bootNext } = await import('@/lib/server/boot')

/** Resolves once the service is up under `next start`. */
export const booted: Promise<void> = bootNext()
