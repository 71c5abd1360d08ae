/** Where tests find a Redis; they touch only keys under a prefix of their own. */
export const TEST_REDIS_URL = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'
