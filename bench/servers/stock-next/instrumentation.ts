/** Does nothing. Without a file of its own, the bundler takes the service's, and with it our front, jobs and request log. */
export function register(): void {}
