// SPDX-License-Identifier: Apache-2.0
// Renderer, camera and light.

import {
  DirectionalLight,
  HemisphereLight,
  PCFShadowMap,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { colours, type Theme } from '../palette';
import type { Extent } from './extent';

export type View = 'default' | 'front' | 'side' | 'top';

export class Stage {
  readonly scene = new Scene();
  readonly camera: PerspectiveCamera;
  readonly controls: OrbitControls;
  readonly renderer: WebGLRenderer;
  private readonly sun = new DirectionalLight('#ffffff', 1.1);
  private readonly side: Vector3;

  constructor(
    private readonly host: HTMLElement,
    private readonly extent: Extent,
    changed: () => void,
  ) {
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    host.appendChild(this.renderer.domElement);
    const { size, up } = extent;
    this.camera = new PerspectiveCamera(32, 1, size / 200, size * 30);
    this.camera.up.copy(up);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', changed);
    // Looking from the front: along −x turned to what is square to up.
    this.side = Math.abs(up.y) > 0.5 ? new Vector3(0, 0, 1) : new Vector3(0, -1, 0);
    this.addLights();
    this.show('default');
  }

  private addLights(): void {
    const { box, size, up } = this.extent;
    const sky = new HemisphereLight('#ffffff', '#aab2bd', 1.35);
    sky.position.copy(up);
    const centre = box.getCenter(new Vector3());
    const across = new Vector3().crossVectors(up, this.side).normalize();
    // Shades the sides of bodies, without shadows.
    const lamp = new DirectionalLight('#ffffff', 1.2);
    lamp.position
      .copy(up)
      .multiplyScalar(1.2)
      .addScaledVector(this.side, 0.7)
      .addScaledVector(across, -0.6);
    // Nearly overhead: shadows fall close under the bodies, onto the part of the floor that is drawn.
    this.sun.position
      .copy(centre)
      .addScaledVector(up, 2 * size)
      .addScaledVector(this.side, 0.12 * size)
      .addScaledVector(across, -0.1 * size);
    this.sun.target.position.copy(centre);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 6; // soft edges
    const frame = this.sun.shadow.camera;
    frame.left = frame.bottom = -0.62 * size;
    frame.right = frame.top = 0.62 * size;
    frame.near = 0.2 * size;
    frame.far = 4 * size;
    this.sun.shadow.normalBias = 0.002 * size;
    this.scene.add(sky, lamp, this.sun, this.sun.target);
  }

  setTheme(theme: Theme): void {
    // The page paints it: one shader less to compile.
    this.host.style.background = `linear-gradient(${colours[theme].background.join(', ')})`;
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }

  /// Looks at the whole mechanism from a named side.
  show(view: View): void {
    const { up, flat } = this.extent;
    const right = new Vector3().crossVectors(up, this.side).normalize();
    const direction = new Vector3();
    if (view === 'front') direction.copy(this.side);
    else if (view === 'side') direction.copy(right);
    else if (view === 'top') direction.copy(up).addScaledVector(this.side, 1e-3);
    else if (flat)
      direction.copy(flat).multiplyScalar(1).addScaledVector(up, 0.18).addScaledVector(right, 0.1);
    else direction.copy(this.side).addScaledVector(right, 0.55).addScaledVector(up, 0.62);
    this.fit(direction.normalize());
  }

  /// Moves the camera along a direction until everything is in the picture.
  private fit(direction: Vector3): void {
    this.resize();
    const { box } = this.extent;
    const centre = box.getCenter(new Vector3());
    const tangent = Math.tan(((this.camera.fov / 2) * Math.PI) / 180);
    const right = new Vector3().crossVectors(this.camera.up, direction).normalize();
    const top = new Vector3().crossVectors(direction, right);
    let distance = 0;
    for (let i = 0; i < 8; ++i) {
      const corner = new Vector3(
        i & 1 ? box.max.x : box.min.x,
        i & 2 ? box.max.y : box.min.y,
        i & 4 ? box.max.z : box.min.z,
      ).sub(centre);
      const wide = Math.abs(corner.dot(right)) / (tangent * this.camera.aspect);
      const high = Math.abs(corner.dot(top)) / tangent;
      distance = Math.max(distance, corner.dot(direction) + 1.12 * Math.max(wide, high));
    }
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(direction, distance);
    this.controls.update();
  }

  /// Carries the camera along.
  follow(by: Vector3): void {
    this.controls.target.add(by);
    this.camera.position.add(by);
    this.controls.update();
  }

  render(): void {
    this.renderer.render(this.scene, this.camera);
  }
}
