import type { Driver } from '../e2e/running'

export type Bench = {
  load: () => Promise<{ run(args: string[]): Promise<void> }>
  /** True for Postgres only; the others also take `pglite`. */
  postgresOnly?: true
  /**
   * The arguments for the whole run, besides the driver where there is no Postgres: five rounds, and sizes that keep the run within three
   * quarters of an hour.
   */
  whole?: string[]
  /** Returns the arguments for the short run: few rows, one round of a second, one driver. Without it the short run leaves this bench out. */
  short?: (driver: Driver) => string[]
}

const ROUND = ['1', '1']

/** The benches, by the name that `npm run bench -- <name>` takes. */
export const BENCHES: Record<string, Bench> = {
  'data-api': { load: () => import('./data-api'), whole: ['both', '5', '2'], short: (driver) => [driver, ...ROUND] },
  // Installs Directus, which a short run has no time for.
  directus: { load: () => import('./directus'), postgresOnly: true, whole: ['5', '2'] },
  export: {
    load: () => import('./export'),
    postgresOnly: true,
    whole: ['--rounds', '5'],
    short: () => ['--rows', '2000', '--rounds', '1'],
  },
  feed: {
    load: () => import('./feed'),
    whole: ['--changes', '50000', '--open', '5'],
    short: (driver) => [driver, '--rows', '500', '--changes', '10000', '--open', '0.2'],
  },
  find: {
    load: () => import('./find'),
    postgresOnly: true,
    whole: ['pg', '100000'],
    short: (driver) => [driver, '5000', '--runs', '1'],
  },
  'first-sync': {
    load: () => import('./first-sync'),
    short: (driver) => [driver, '--invoices', '1000'],
  },
  functions: { load: () => import('./functions'), postgresOnly: true, whole: ['5'], short: () => ['1'] },
  leads: { load: () => import('./leads'), whole: ['both', '5', '3'], short: (driver) => [driver, ...ROUND] },
  limits: { load: () => import('./limits'), short: () => ['--rounds', '5'] },
  load: {
    load: () => import('./loading'),
    whole: ['--rows', '10000'],
    short: (driver) => [driver, '--rows', '500', '--idle', '0.3'],
  },
  mapped: {
    load: () => import('./mapped'),
    whole: ['--rows', '20000', '--rounds', '5'],
    short: (driver) => [driver, '--rows', '1000', '--rounds', '1'],
  },
  mcp: { load: () => import('./mcp'), whole: ['both', '5', '2'], short: (driver) => [driver, ...ROUND] },
  observability: {
    load: () => import('./observability'),
    whole: ['100', '200'],
    short: (driver) => ['2', '40', driver],
  },
  pages: { load: () => import('./pages'), whole: ['2', 'server'], short: () => ['1', 'server'] },
  portal: {
    load: () => import('./portal'),
    postgresOnly: true,
    whole: ['100000'],
    short: () => ['2000', '/', '/logs', '/invoices'],
  },
  'request-log': {
    load: () => import('./request-log'),
    whole: ['15', '2', '--rows', '200000', '--runs', '100'],
    short: (driver) => [driver, ...ROUND, '--rows', '5000', '--runs', '2'],
  },
  retrieval: {
    load: () => import('./retrieval'),
    postgresOnly: true,
    whole: ['scale'],
    short: () => ['scale', '1000', '--rounds', '2'],
  },
  scale: {
    load: () => import('./scale'),
    postgresOnly: true,
    whole: ['1000000', '--runs', '200'],
    short: () => ['20000', '--runs', '10'],
  },
  start: {
    load: () => import('./start'),
    whole: ['both', '5', '--rest', '3'],
    short: (driver) => [driver, '1', '--rest', '0.5'],
  },
}
