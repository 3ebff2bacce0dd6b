// Vectors and matrices (16 numbers, column by column).

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const times = (s, a) => [s * a[0], s * a[1], s * a[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = a => Math.hypot(a[0], a[1], a[2]);
const unit = a => times(1 / (norm(a) || 1), a);
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// From the scene to the viewer, who stands at `eye` with axes to the right, upward and backward.
function viewMatrix(right, up, back, eye) {
  return [right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
          -dot(right, eye), -dot(up, eye), -dot(back, eye), 1];
}
function perspective(tangent, aspect, near, far) {
  return [1 / (tangent * aspect), 0, 0, 0, 0, 1 / tangent, 0, 0, 0, 0, (near + far) / (near - far), -1,
          0, 0, 2 * near * far / (near - far), 0];
}
function orthographic(half, aspect, near, far) {
  return [1 / (half * aspect), 0, 0, 0, 0, 1 / half, 0, 0, 0, 0, 2 / (near - far), 0, 0, 0, (near + far) / (near - far), 1];
}
