// Which way to look at points, as `cordage render` chooses (src/render/camera.c): flat things nearly along their normal
// and a little from above, long ones from the side, others from a corner.
import * as THREE from "three";

const DEGREE = Math.PI / 180;
const across = (a, unit) => a.clone().addScaledVector(unit, -a.dot(unit));

// Eigenvalues, descending, and axes of the points' covariance by Jacobi's rotations.
function principalAxes(points) {
  const n = points.length / 3;
  const mean = [0, 0, 0];
  for (let i = 0; i < points.length; i++) mean[i % 3] += points[i] / n;
  const a = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
  for (let i = 0; i < points.length; i += 3) {
    for (let p = 0; p < 3; p++) for (let q = 0; q < 3; q++) a[p][q] += ((points[i + p] - mean[p]) * (points[i + q] - mean[q])) / n;
  }
  const v = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (let sweep = 0; sweep < 20; sweep++) {
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) {
      if (Math.abs(a[p][q]) < 1e-300) continue;
      const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
      const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
      const c = 1 / Math.hypot(t, 1);
      const s = t * c;
      for (let k = 0; k < 3; k++) [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
      for (let k = 0; k < 3; k++) {
        [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
        [v[k][p], v[k][q]] = [c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]];
      }
    }
  }
  return [0, 1, 2]
    .sort((i, j) => a[j][j] - a[i][i])
    .map((k) => ({ size: Math.sqrt(Math.max(0, a[k][k])), axis: new THREE.Vector3(v[0][k], v[1][k], v[2][k]) }));
}

function usualSide(up) {
  const side = across(new THREE.Vector3(0.2, -1, 0), up);
  return side.length() > 0.3 ? side.normalize() : across(new THREE.Vector3(0, 0, 1), up).normalize();
}

// Unit vector from the middle of the points to the viewer.
export function chooseBack(points, up) {
  if (points.length < 6) return usualSide(up).addScaledVector(up, 0.3).normalize();
  const [first, second, third] = principalAxes(points);
  const roundness = second.size > 0 ? third.size / second.size : 0;
  const isLine = second.size <= 1e-3 * first.size;
  const normal = isLine ? first.axis.clone().cross(up) : third.axis.clone();
  const steepness = normal.length() > 0 ? Math.abs(normal.clone().normalize().dot(up)) : 1;
  let level = across(normal, up);
  let elevation = (12 + 10 * Math.min(1, 2 * roundness)) * DEGREE;
  if (steepness > 0.7 || level.length() < 1e-6) {
    level = first.axis.clone().cross(up);
    if (roundness < 0.35) elevation = 48 * DEGREE;
  }
  if (level.length() < 0.3 || isLine) level = first.axis.clone().cross(up);
  if (level.length() < 1e-3) level = usualSide(up);
  level.normalize();
  if (level.dot(usualSide(up)) < 0) level.negate();
  level.applyAxisAngle(up, (8 + 22 * Math.min(1, 2 * roundness)) * DEGREE);
  return level.multiplyScalar(Math.cos(elevation)).addScaledVector(up, Math.sin(elevation)).normalize();
}
