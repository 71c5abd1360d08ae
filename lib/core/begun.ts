import { part } from '../runtime/runtime'

/** What began before Next asked for its instrumentation; its result tells whether the service is up by it. */
export const begun = part('begun', () => ({}))
