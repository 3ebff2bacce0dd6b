// Programs of the graphics card. Light and colours are one for all that is drawn.

const COMMON = `#version 300 es
precision highp float; precision highp int; precision highp sampler2D;
uniform mat4 view, projection;
uniform vec4 cut;            // what lies at cut.xyz * x > cut.w is left out
uniform int picked;          // number of the thing that was clicked on, or -1
uniform vec2 steps;          // lowest value and step of the column
uniform vec2 range;          // lowest value of the colours, and one over their width
uniform int kinds;           // 0: a scale; else number of colours; -1: plain
uniform vec3 plain;
uniform bool flatScene;
uniform int first;           // number of the first thing that is drawn
`;

const VERTEX_COLOUR = `
uniform sampler2D palette;
flat out int thing;
out vec3 colour;
vec3 colourOf(float value) {
  if (kinds < 0 || value > 1e38) return plain;
  if (kinds > 0) return texelFetch(palette, ivec2(int(value + 0.5) % kinds, 0), 0).rgb;
  return texture(palette, vec2(clamp((value - range.x) * range.y, 0.0, 1.0) * 255.0 / 256.0 + 0.5 / 256.0, 0.5)).rgb;
}
float valueOf(float stored) { return stored > 65534.5 ? 3e38 : steps.x + steps.y * stored; }
vec3 marked(vec3 c) { return thing == picked ? vec3(1.0, 0.45, 0.05) : c; }
`;

const FRAGMENT_LIGHT = `
flat in int thing;
in vec3 colour;
uniform vec3 upward;         // of the scene, in the viewer's axes
uniform int code;            // while a click is looked up: number of the layer, else -1
uniform float opacity;
out vec4 seen;
vec3 lit(vec3 c, vec3 normal, vec3 at) {
  if (flatScene) return c;
  vec3 n = dot(normal, at) > 0.0 ? -normal : normal;
  vec3 key = normalize(vec3(-0.5, 0.75, 0.75)), toViewer = -normalize(at);
  float sun = max((dot(n, key) + 0.25) / 1.25, 0.0), sky = 0.5 + 0.5 * dot(n, upward);
  vec3 light = mix(vec3(0.55, 0.54, 0.55), vec3(0.70, 0.71, 0.73), sky) + sun * vec3(0.43, 0.42, 0.39);
  float shine = pow(max(dot(n, normalize(key + toViewer)), 0.0), 36.0);
  float rim = 1.0 - 0.18 * pow(1.0 - abs(dot(n, toViewer)), 3.0);
  return c * light * rim + 0.10 * shine;
}
vec4 shown(vec3 c, float part) {
  if (code < 0) return vec4(c, part * opacity);
  if (part < 0.5) discard;
  return vec4(float(thing & 255), float(thing >> 8 & 255), float(thing >> 16 & 255), float(code)) / 255.0;
}
`;

// Bodies have their place, turn and size as 16 bits of each column.
const BODY = `
in float x, y, z, size, turnX, turnY, turnZ, value;
uniform vec3 placeLow, placeStep;
uniform vec2 sizeSteps;
vec3 placeOf() { return placeLow + placeStep * vec3(x, y, z); }
float sizeOf() { return sizeSteps.x + sizeSteps.y * size; }
vec3 turned(vec3 p) {
  vec3 turn = (vec3(turnX, turnY, turnZ) - 32768.0) * (3.14159265359 / 32768.0);
  if (flatScene) return vec3(p.x * cos(turn.z) - p.y * sin(turn.z), p.x * sin(turn.z) + p.y * cos(turn.z), p.z);
  float angle = length(turn);
  if (angle < 1e-4) return p;
  vec3 axis = turn / angle;
  return p * cos(angle) + cross(axis, p) * sin(angle) + axis * dot(axis, p) * (1.0 - cos(angle));
}
bool isCut(vec3 place) { return dot(cut.xyz, place) > cut.w; }
`;

const BALL = {
  vertex: COMMON + VERTEX_COLOUR + BODY + `
in vec2 corner;
uniform vec4 ball;           // place in the body's axes, radius
out vec3 at;
flat out vec3 middle;
flat out float radius;
out vec2 way;
void main() {
  thing = first + gl_InstanceID;
  vec3 place = placeOf();
  colour = marked(colourOf(valueOf(value)));
  radius = ball.w * sizeOf();
  middle = (view * vec4(place + turned(ball.xyz) * sizeOf(), 1.0)).xyz;
  way = corner * 1.06;
  vec3 right = vec3(1.0, 0.0, 0.0), up = vec3(0.0, 1.0, 0.0);
  float reach = radius;
  if (!flatScene) {
    float away = length(middle);
    right = normalize(cross(middle / away, up)), up = cross(right, middle / away);
    reach *= away / sqrt(max(away * away - radius * radius, 1e-3 * radius * radius));
  }
  at = middle + reach * (way.x * right + way.y * up);
  gl_Position = isCut(place) ? vec4(2.0, 2.0, 2.0, 1.0) : projection * vec4(at, 1.0);
}`,
  fragment: COMMON + FRAGMENT_LIGHT + `
in vec3 at;
flat in vec3 middle;
flat in float radius;
in vec2 way;
void main() {
  if (flatScene) {
    float off = length(way), pixel = fwidth(off), part = clamp((1.0 - off) / pixel + 0.5, 0.0, 1.0);
    if (part <= 0.0) discard;
    gl_FragDepth = gl_FragCoord.z;
    seen = shown(mix(colour, colour * 0.35, clamp((off - 1.0) / pixel + 1.8, 0.0, 0.85) * clamp(0.12 / pixel - 0.5, 0.0, 1.0)), part);
    return;
  }
  vec3 ray = normalize(at);
  float along = dot(ray, middle), hit = (along * along - dot(middle, middle)) / (radius * radius) + 1.0;
  float part = clamp(hit / max(fwidth(hit), 1e-6) + 0.5, 0.0, 1.0);
  if (part <= 0.0) discard;
  vec3 p = ray * (along - radius * sqrt(max(hit, 0.0))), n = normalize(p - middle);
  vec4 clip = projection * vec4(p, 1.0);
  gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
  seen = shown(lit(colour, n, p), part);
}`,
};

// A small ball: a disc with the light of a ball. Without depths of its own it is quicker.
const DOT = {
  vertex: COMMON + VERTEX_COLOUR + BODY + `
uniform vec4 ball;
uniform float height;        // of the picture [pixels]
out vec3 at;
flat out float pixels;
void main() {
  thing = first + gl_VertexID;
  vec3 place = placeOf();
  colour = marked(colourOf(valueOf(value)));
  vec4 p = view * vec4(place + turned(ball.xyz) * sizeOf(), 1.0);
  at = p.xyz;
  gl_Position = isCut(place) ? vec4(2.0, 2.0, 2.0, 1.0) : projection * p;
  pixels = max(height * projection[1][1] * ball.w * sizeOf() / gl_Position.w, 1.0);
  gl_PointSize = pixels + 1.0;
}`,
  fragment: COMMON + FRAGMENT_LIGHT + `
in vec3 at;
flat in float pixels;
void main() {
  vec2 way = (2.0 * gl_PointCoord - 1.0) * vec2(1.0, -1.0) * (pixels + 1.0) / pixels;
  float off = dot(way, way), part = clamp((1.0 - sqrt(off)) * 0.5 * pixels + 0.5, 0.0, 1.0);
  if (part <= 0.0) discard;
  seen = shown(lit(colour, vec3(way, sqrt(max(1.0 - off, 0.0))), at), part);
}`,
};

const SHAPE = {
  vertex: COMMON + VERTEX_COLOUR + BODY + `
in vec3 position, normal;
uniform float darker;        // of edges
out vec3 at, facing;
void main() {
  thing = first + gl_InstanceID;
  vec3 place = placeOf();
  colour = marked(colourOf(valueOf(value))) * darker;
  vec4 p = view * vec4(place + turned(position) * sizeOf(), 1.0);
  at = p.xyz, facing = mat3(view) * turned(normal);
  gl_Position = isCut(place) ? vec4(2.0, 2.0, 2.0, 1.0) : projection * p;
  if (darker < 1.0) gl_Position.z -= 1e-4 * gl_Position.w;
}`,
  fragment: COMMON + FRAGMENT_LIGHT + `
in vec3 at, facing;
uniform float darker;
void main() { seen = shown(darker < 1.0 ? colour : lit(colour, normalize(facing), at), 1.0); }`,
};

// Rods and contact forces: tubes between two places with a radius and value at each end.
const TUBE = {
  vertex: COMMON + VERTEX_COLOUR + `
in vec3 position;
in vec4 from, to;
in vec3 values;              // at both ends, and number of the thing
out vec3 at, facing;
void main() {
  thing = int(values.z);
  vec3 along = to.xyz - from.xyz, w = along / max(length(along), 1e-30);
  vec3 u = normalize(cross(w, abs(w.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0))), v = cross(w, u);
  vec3 out_ = u * position.x + v * position.y, place = mix(from.xyz, to.xyz, position.z);
  colour = marked(colourOf(mix(values.x, values.y, position.z)));
  vec4 p = view * vec4(place + out_ * mix(from.w, to.w, position.z), 1.0);
  at = p.xyz, facing = mat3(view) * out_;
  gl_Position = dot(cut.xyz, 0.5 * (from.xyz + to.xyz)) > cut.w ? vec4(2.0, 2.0, 2.0, 1.0) : projection * p;
}`,
  fragment: SHAPE.fragment,
};

const SURFACE = {
  vertex: COMMON + VERTEX_COLOUR + `
in vec3 position;
in vec2 values;              // value and number of the cell
out vec3 at, where;
uniform float pull;          // of edges towards the viewer
void main() {
  thing = int(values.y);
  colour = marked(colourOf(values.x));
  where = position;
  vec4 p = view * vec4(position, 1.0);
  at = p.xyz;
  gl_Position = projection * p;
  gl_Position.z -= pull * gl_Position.w;
}`,
  fragment: COMMON + FRAGMENT_LIGHT + `
in vec3 at, where;
uniform bool isLine;
uniform vec2 veil;           // distance of the middle, and half the depth over which nearer walls become clearer
void main() {
  if (dot(cut.xyz, where) > cut.w) discard;
  vec3 n = cross(dFdx(at), dFdy(at));
  float nearer = opacity < 1.0 && !flatScene && !isLine ? mix(0.3, 1.0, smoothstep(-veil.y, veil.y, -at.z - veil.x)) : 1.0;
  seen = shown(isLine ? colour : lit(colour, normalize(n), at), nearer);
}`,
};

// The whole picture: shade in corners between bodies, after Crytek's screen-space ambient occlusion (Mittring 2007).
const WHOLE_VERTEX = `#version 300 es
void main() { gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0); }`;
const SHADE = {
  vertex: WHOLE_VERTEX,
  fragment: `#version 300 es
precision highp float; precision highp sampler2D;
uniform sampler2D depths;
uniform mat4 projection;
uniform float reach;
out vec4 shade;
vec3 placeAt(vec2 uv, float depth) {
  float z = -projection[3][2] / (2.0 * depth - 1.0 + projection[2][2]);
  return vec3((2.0 * uv - 1.0) * -z / vec2(projection[0][0], projection[1][1]), z);
}
void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec2 all = vec2(textureSize(depths, 0));
  float depth = texelFetch(depths, pixel, 0).r;
  if (depth >= 1.0) { shade = vec4(1.0); return; }
  vec3 p = placeAt((vec2(pixel) + 0.5) / all, depth);
  // The nearer of both neighbours lies on the same surface.
  vec3 right = placeAt((vec2(pixel) + vec2(1.5, 0.5)) / all, texelFetch(depths, pixel + ivec2(1, 0), 0).r) - p;
  vec3 left = p - placeAt((vec2(pixel) + vec2(-0.5, 0.5)) / all, texelFetch(depths, pixel - ivec2(1, 0), 0).r);
  vec3 up = placeAt((vec2(pixel) + vec2(0.5, 1.5)) / all, texelFetch(depths, pixel + ivec2(0, 1), 0).r) - p;
  vec3 down = p - placeAt((vec2(pixel) + vec2(0.5, -0.5)) / all, texelFetch(depths, pixel - ivec2(0, 1), 0).r);
  vec3 n = normalize(cross(abs(right.z) < abs(left.z) ? right : left, abs(up.z) < abs(down.z) ? up : down));
  float begin = float((pixel.x & 3) * 4 + (pixel.y & 3)) / 16.0, hidden = 0.0;
  const int samples = 12;
  vec2 spread = reach * vec2(projection[0][0], projection[1][1]) / (-2.0 * p.z);
  for (int k = 0; k < samples; ++k) {
    float part = (float(k) + 0.5 + begin) / float(samples + 1), angle = 2.39996 * float(k) + 6.28318 * begin;
    vec2 uv = (vec2(pixel) + 0.5) / all + spread * part * vec2(cos(angle), sin(angle));
    float other = textureLod(depths, uv, 0.0).r;
    if (other >= 1.0) continue;
    vec3 to = placeAt(uv, other) - p;
    float away = length(to);
    hidden += max(dot(n, to) / max(away, 1e-9) - 0.08, 0.0) * smoothstep(2.0 * reach, 0.3 * reach, away);
  }
  shade = vec4(clamp(1.0 - 1.9 * hidden / float(samples), 0.0, 1.0));
}`,
};
const WHOLE = {
  vertex: WHOLE_VERTEX,
  fragment: `#version 300 es
precision highp float; precision highp sampler2D;
uniform sampler2D picture, shades, depths;
uniform bool shaded;
out vec4 seen;
void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  seen = vec4(texelFetch(picture, pixel, 0).rgb, 1.0);
  if (!shaded) return;
  float sum = 0.0, weight = 0.0, own = texelFetch(depths, pixel, 0).r;
  if (own >= 1.0) return;
  for (int i = -2; i < 2; ++i)
    for (int j = -2; j < 2; ++j) {
      ivec2 other = clamp(pixel + ivec2(i, j), ivec2(0), textureSize(depths, 0) - 1);
      float w = exp(-2000.0 * abs(texelFetch(depths, other, 0).r - own) / max(1.0 - own, 1e-5) * 0.002) ;
      sum += w * texelFetch(shades, other, 0).r, weight += w;
    }
  float part = sum / weight;
  seen.rgb *= mix(vec3(0.34, 0.33, 0.38), vec3(1.0), part);
}`,
};
