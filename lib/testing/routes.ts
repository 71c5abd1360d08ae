import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type RouteFiles, routeTable } from '@/lib/server/route-table'

const app = resolve(import.meta.dirname, '../../app')

/** The route files of `app/`, named as a build names them. */
export const routeFiles: RouteFiles = Object.fromEntries(
  readdirSync(app, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(^|\/)route\.ts$/.test(path))
    .map((path) => [`/${path.slice(0, -3)}`, () => import(/* @vite-ignore */ join(app, path))]),
)

/** Finds what answers a path, as the one-machine server does. */
export const findRoute = routeTable(routeFiles)
