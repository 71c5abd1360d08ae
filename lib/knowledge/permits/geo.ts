/** A point on the ground, in degrees (WGS 84). */
export type Place = { latitude: number; longitude: number }

/** The mean radius of the earth in meters (IUGG). */
const EARTH_METERS = 6_371_008.8
export const METERS_PER_MILE = 1609.344

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Meters between two points on a sphere, by the haversine formula (R. W. Sinnott, 1984). */
export function metersBetween(a: Place, b: Place): number {
  const sin = (degrees: number) => Math.sin(radians(degrees) / 2) ** 2
  const h =
    sin(b.latitude - a.latitude) +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * sin(b.longitude - a.longitude)
  return 2 * EARTH_METERS * Math.asin(Math.min(1, Math.sqrt(h)))
}

/**
 * Returns a bounding box in degrees that holds everything within `meters` of a point. Does not handle the poles or the 180th
 * meridian, where no jurisdiction lies.
 */
export function boxAround({ latitude, longitude }: Place, meters: number) {
  const up = ((meters / EARTH_METERS) * 180) / Math.PI
  const side = up / Math.cos(radians(Math.min(89, Math.abs(latitude) + up)))
  return { south: latitude - up, north: latitude + up, west: longitude - side, east: longitude + side }
}
